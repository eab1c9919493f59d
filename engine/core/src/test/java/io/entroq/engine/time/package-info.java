/** Tests of the clocks. */
package io.entroq.engine.time;
