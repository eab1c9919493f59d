/** Floods of both ports of a server, and what others notice of them. */
package io.entroq.server.flood;
