/**
 * Authorization: asks Open Policy Agent over HTTP before a call is let through to the next service.
 *
 * <p>Nothing is allowed that the agent has not allowed: no answer, or an answer that cannot be
 * read, denies. {@link io.entroq.service.authorization.Authorization} is the way in. Any thread;
 * nothing blocks. The agent's answers come on threads of this package, where allowed calls go on.
 */
package io.entroq.service.authorization;
