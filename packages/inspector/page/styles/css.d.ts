/** Vite writes an imported style sheet into app.css. */
declare module '*.css';
