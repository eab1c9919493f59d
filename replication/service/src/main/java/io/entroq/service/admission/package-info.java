/**
 * Admission: runs as many calls at a time as the limits allow. Further calls wait in a bounded
 * queue, without holding a thread, and are refused at their deadlines. No connection or address
 * gets more than its share of a limit.
 *
 * <p>One {@link io.entroq.service.admission.Admission} serves both APIs over all transports. Any
 * thread.
 */
package io.entroq.service.admission;
