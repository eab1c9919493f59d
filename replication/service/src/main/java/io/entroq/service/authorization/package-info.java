/**
 * Authorization: asks Open Policy Agent over HTTP before a call continues to the next service.
 * {@link io.entroq.service.authorization.Authorization} is the entry point.
 *
 * <p>It fails closed: no response, or an unreadable one, denies. Any thread; nothing blocks.
 * Responses arrive on threads of this package, where allowed calls continue.
 */
package io.entroq.service.authorization;
