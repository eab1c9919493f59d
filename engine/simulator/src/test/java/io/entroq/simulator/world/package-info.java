/** Tests that whole worlds go the same way each time, and that nothing is wrong in them. */
package io.entroq.simulator.world;
