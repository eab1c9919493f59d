/** What tests of several packages need. */
package io.entroq.service.testing;
