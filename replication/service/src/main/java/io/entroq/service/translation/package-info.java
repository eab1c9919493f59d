/**
 * Translates between the APIs' messages and the engine's commands and results. It finds and names
 * every invalid field before anything is logged.
 *
 * <p>{@link io.entroq.service.translation.Facade} has all differences between the two APIs. Any
 * thread; command writers are for one thread at a time.
 */
package io.entroq.service.translation;
