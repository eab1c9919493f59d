/**
 * Between the messages of the APIs and what the engine reads and writes. Whatever a caller may get
 * wrong is found here, before anything is logged, and named by its field.
 *
 * <p>{@link io.entroq.service.translation.Facade} is all in which the two APIs differ. Any thread,
 * but for the writers, which are for one at a time.
 */
package io.entroq.service.translation;
