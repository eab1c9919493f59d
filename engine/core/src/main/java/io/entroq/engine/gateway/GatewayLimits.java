package io.entroq.engine.gateway;

/**
 * What requests have to keep to. All but the second are for whoever makes commands to check.
 *
 * @param valueBytesMax how long the value of a task or a doc may be, in bytes
 * @param commandBytesMax how long a command may be, in bytes
 * @param queueTasksMax how many tasks a queue may have, to be said in each Modify; 0: any number
 */
public record GatewayLimits(int valueBytesMax, int commandBytesMax, long queueTasksMax) {}
