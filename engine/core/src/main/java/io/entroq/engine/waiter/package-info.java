/**
 * Parked claims: claims that found no task and wait inside the state. They are listed by queue, in
 * order of arrival, and by deadline.
 *
 * <p>Only the state machine calls this, on the applying thread.
 */
package io.entroq.engine.waiter;
