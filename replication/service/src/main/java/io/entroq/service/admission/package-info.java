/**
 * Admission: starts as many calls at a time as the limits have room for. Further calls wait in a
 * bounded queue, without a thread, up to their deadlines; past that they are refused. No connection
 * and no address takes more than its share of a limit.
 *
 * <p>{@link io.entroq.service.admission.Admission} stands in front of the services of both APIs and
 * all transports. Any thread.
 */
package io.entroq.service.admission;
