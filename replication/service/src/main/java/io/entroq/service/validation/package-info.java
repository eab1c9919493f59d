/**
 * Refuses malformed requests of the v1 API before anything looks at what they ask for: the answer
 * does not depend on permissions or on the state of the queues.
 *
 * <p>{@link io.entroq.service.validation.ValidatedService} stands in front of admission and
 * authorization. Any thread; allocates nothing for a well-formed request of one item.
 */
package io.entroq.service.validation;
