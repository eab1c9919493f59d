/**
 * The test of the tests: bugs that are planted into the product one at a time, each of which the
 * simulator has to catch. A bug is a change of a few lines of a production source, described in the
 * resources of this package; the changed class is compiled in memory and takes the place of the
 * real one for one run, in a class loader of its own. One that nothing catches is a missing
 * invariant.
 */
package io.entroq.simulator.planted;
