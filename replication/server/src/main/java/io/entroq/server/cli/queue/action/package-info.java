/**
 * What the commands do that takes more than one request. Knows the API only; each object is for one
 * thread and is used once.
 *
 * <p>All of it ends at the next occasion when it is interrupted, with nothing half done, and says
 * how far it came.
 */
package io.entroq.server.cli.queue.action;
