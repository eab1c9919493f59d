/**
 * Authorization: asks Open Policy Agent over HTTP, or a mesh policy, before a call continues to the
 * next service. {@link io.entroq.service.authorization.Authorization} is the entry point.
 *
 * <p>An invalid request is refused before: the answer to it does not depend on permissions.
 *
 * <p>It fails closed: without a decision nothing is done. Then the answer is UNAVAILABLE, so that
 * callers try again. Any thread; nothing blocks. Responses of Open Policy Agent arrive on threads
 * of this package, where allowed calls continue.
 */
package io.entroq.service.authorization;
