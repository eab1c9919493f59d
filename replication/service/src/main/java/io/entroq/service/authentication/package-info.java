/**
 * Authentication: who calls, by a signed token (JWT) in the Authorization header. {@link
 * io.entroq.service.authentication.Authentication} is the entry point.
 *
 * <p>A JOSE library parses tokens and keys, and verifies signatures and claims. This package
 * fetches and caches the keys. Any thread; nothing blocks. A call whose token needs keys that are
 * not there yet waits for them, and continues on this package's thread.
 */
package io.entroq.service.authentication;
