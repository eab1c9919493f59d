/**
 * The hunt for bugs, as people and programs see it: runs a simulated world, shows how far it is,
 * makes one in which something went wrong smaller, and tells what came of it. What the world is and
 * what is watched in it is in {@link io.entroq.simulator}.
 *
 * <p>A world runs on the thread that asks for it, and so does whoever watches it.
 */
package io.entroq.server.sim;
