/** Tests that whole worlds are reproducible and have no violations. */
package io.entroq.simulator.world;
