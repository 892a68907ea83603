/**
 * A self-signed certificate for `localhost` and its key, for servers of tests; valid until 2126. Made by `openssl req -x509 -newkey ec
 * -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj /CN=localhost -addext subjectAltName=DNS:localhost`.
 */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUR4aok36hvG59H3gm8TmVDQdRGbowCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjE0MzEzNVoYDzIxMjYxMDI5
MTQzMTM1WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARnWnz9Kwxhi8EjBbO2jq6Ib4Mob6fXwo2U5sMpyWL1MVain/8ob+zs
dWFc8kIQTo4O4tqrgDyv36mmPD8Jg5RPo2kwZzAdBgNVHQ4EFgQUHs5vw3ryVa6w
N6L7ZpipDm7LJqwwHwYDVR0jBBgwFoAUHs5vw3ryVa6wN6L7ZpipDm7LJqwwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SAAwRQIhANk5QLi7P1qhWV8GYx58AeflakhCYq7BTegVVcykkWKlAiAdAQ9sUJIe
nfg1vqdfC2XBuxw5EJUHqSFADOy01v2b5A==
-----END CERTIFICATE-----
`;

export const certificateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgBbhIcwVts18L39v7
QOVXrsSlrwvtMPG1CnVc6ZiTvdChRANCAARnWnz9Kwxhi8EjBbO2jq6Ib4Mob6fX
wo2U5sMpyWL1MVain/8ob+zsdWFc8kIQTo4O4tqrgDyv36mmPD8Jg5RP
-----END PRIVATE KEY-----
`;
