/**
 * Keeps a data directory small and its next opening quick: decides when a snapshot is due, has it
 * written beside the commands, and lets go what nothing needs any more.
 *
 * <p>{@link io.entroq.engine.upkeep.Upkeep} is called by the thread that applies commands; writing
 * and deleting happen on a thread of its own.
 */
package io.entroq.engine.upkeep;
