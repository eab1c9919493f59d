package io.entroq.engine.gateway;

import io.entroq.api.EntroQException;

/**
 * The limits of a request. The author of commands checks all but the second.
 *
 * @param valueBytesMax longest value of a task or a doc, in bytes
 * @param commandBytesMax longest command, in bytes
 * @param queueTasksMax most tasks of a queue, to be set in each Modify; 0: any number
 * @param policiesMax most policies, and most limiters, to be set in each Modify that may add one;
 *     0: any number
 */
public record GatewayLimits(
    int valueBytesMax, int commandBytesMax, long queueTasksMax, int policiesMax) {
  /**
   * Checks the length of a command, as the gateway will.
   *
   * @throws EntroQException.InvalidArgument if it is too long
   */
  public void requireLength(long bytes) {
    requireLength(bytes, commandBytesMax);
  }

  /**
   * The same without the other limits.
   *
   * @throws EntroQException.InvalidArgument if the command is too long
   */
  public static void requireLength(long bytes, int commandBytesMax) {
    if (bytes > commandBytesMax) {
      throw new EntroQException.InvalidArgument(
          "request has " + bytes + " bytes, commandBytesMax allows " + commandBytesMax);
    }
  }
}
