/** Tests of the engine in one process: its threads, its levels of durability, its end. */
package io.entroq.engine.embedded;
