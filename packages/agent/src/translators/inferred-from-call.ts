/**
 * The default of the type parameters of the translators: what the call that uses the translator says.
 *
 * `callModelWithHooks(client, { request, translator: genAiTranslator(), call })` is to infer the SDK's own types from `request` and `call`.
 * `never` leaves it to them: as a candidate for inference it loses against every other type, also where the translator is made in a
 * line of its own. Any other default (the interfaces of what is asked of a request) would win where it is wider, and `call` would be handed
 * a request that the SDK does not take. It costs that a translator without types used by itself takes no argument; it is given them then:
 * `genAiTranslator<Request, Response>()`.
 */
export type InferredFromCall = never;
