/** Who is watching the process. Any thread. */
package io.entroq.server.terminal;
