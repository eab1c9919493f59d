package io.entroq.engine.gateway;

/**
 * The limits of a request. The author of commands checks all but the second.
 *
 * @param valueBytesMax longest value of a task or a doc, in bytes
 * @param commandBytesMax longest command, in bytes
 * @param queueTasksMax most tasks of a queue, to be set in each Modify; 0: any number
 */
public record GatewayLimits(int valueBytesMax, int commandBytesMax, long queueTasksMax) {}
