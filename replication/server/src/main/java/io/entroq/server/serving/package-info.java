/**
 * A server as a whole: what it is set up with, the order in which its parts begin, and that in
 * which they end.
 */
package io.entroq.server.serving;
