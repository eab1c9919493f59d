/**
 * Returns tasks from dead queues on behalf of callers.
 *
 * <p>A redrive is made of other calls: it lists the dead queue and moves tasks with Modifys. They
 * pass the same filters as if the caller had sent them, so they need the same permissions and room.
 */
package io.entroq.service.redrive;
