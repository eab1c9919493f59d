/**
 * Lets as many calls go on at a time as there is room for, and has the others wait for their turn:
 * up to their deadlines, in a line that has bounds of its own, without a thread. Past those a call
 * is refused. Of each bound no connection and no address takes more than its share.
 *
 * <p>{@link io.entroq.service.admission.Admission} stands before the services of both APIs and all
 * transports. Any thread.
 */
package io.entroq.service.admission;
