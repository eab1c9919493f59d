/** How tasks and queues are printed: as JSON for programs, as tables for people. */
package io.entroq.server.cli.queue.print;
