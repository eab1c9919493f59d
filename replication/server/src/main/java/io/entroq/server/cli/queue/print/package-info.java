/** How commands print tasks, docs and tables. May be called on any thread. */
package io.entroq.server.cli.queue.print;
