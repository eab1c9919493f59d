/** A server for tests to ask. */
package io.entroq.examples.testing;
