/**
 * Behavior levels in a cluster: a member asks all members through the log which levels they
 * support, and a level is raised only if all of them support it. Nothing here is state; the command
 * that raises the level changes the state. Called by {@code member} on any thread and by {@code
 * service} on the applying thread.
 */
package io.entroq.cluster.level;
