"""The bundled game pages and the server that offers them."""
