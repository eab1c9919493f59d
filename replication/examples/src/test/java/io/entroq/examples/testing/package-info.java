/** A server for tests. */
package io.entroq.examples.testing;
