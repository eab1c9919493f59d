/**
 * Translates between the APIs' messages and the engine's commands and results. All errors that a
 * caller can make are found here, before anything is logged, and named by their fields.
 *
 * <p>{@link io.entroq.service.translation.Facade} is all in which the two APIs differ. Any thread;
 * command writers are for one thread at a time.
 */
package io.entroq.service.translation;
