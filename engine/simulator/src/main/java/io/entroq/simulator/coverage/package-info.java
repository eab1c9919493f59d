/** How often each rule of the protocol decided something in a world, so that none goes untested. */
package io.entroq.simulator.coverage;
