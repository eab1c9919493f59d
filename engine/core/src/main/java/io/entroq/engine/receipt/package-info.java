/**
 * Clients that identify their requests, and the receipts of those requests. A receipt lets a retry
 * get the first reply. It is kept until the client acknowledges the reply.
 *
 * <p>Only the state machine calls this, on the applying thread.
 */
package io.entroq.engine.receipt;
