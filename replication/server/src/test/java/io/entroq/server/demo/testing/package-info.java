/** Input for tests of the demo. */
package io.entroq.server.demo.testing;
