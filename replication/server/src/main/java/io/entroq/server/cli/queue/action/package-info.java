/**
 * Work of commands that takes several requests. Knows only the API. Each object is used once, by
 * one thread.
 *
 * <p>When interrupted, the work stops between two requests with nothing half done, and reports its
 * progress.
 */
package io.entroq.server.cli.queue.action;
