/** Output of tasks and queues: JSON for programs, tables for people. Any thread. */
package io.entroq.server.cli.queue.print;
