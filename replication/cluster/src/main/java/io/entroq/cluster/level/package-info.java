/**
 * Which behaviour levels members support: a member asks all through the log, each says it through
 * the log, and the level is raised only if all have. Nothing of it is state; what changes the state
 * is the command that raises the level.
 */
package io.entroq.cluster.level;
