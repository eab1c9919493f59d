/**
 * Authorization: asks Open Policy Agent over HTTP before a call continues to the next service.
 * {@link io.entroq.service.authorization.Authorization} is the entry point.
 *
 * <p>Only what the agent has allowed is allowed: no answer, or an answer that cannot be read,
 * denies. Any thread; nothing blocks. The agent's answers come on threads of this package, on which
 * allowed calls continue.
 */
package io.entroq.service.authorization;
