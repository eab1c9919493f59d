/**
 * A queue in memory, as simple as the semantics allow, for tests of what is built on the API.
 *
 * <p>Any thread; everything happens under one lock, and futures complete outside of it.
 */
package io.entroq.api.fake;
