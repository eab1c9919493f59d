package io.entroq.cluster.service;

/**
 * This member has ended because it has too little memory for the cluster's state. No command is at
 * fault, and other members may have enough.
 */
public final class NoMemoryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NoMemoryException(OutOfMemoryError cause) {
    super(
        ("this member has too little memory for the cluster's state: %s. Start it with a larger %s, and"
                + " give all members as much and the same memoryBytesMax. No command is at fault:"
                + " skip none")
            .formatted(cause.getMessage(), flag(cause)),
        cause);
  }

  private static String flag(OutOfMemoryError cause) {
    boolean isOutsideHeap = String.valueOf(cause.getMessage()).contains("direct buffer");
    return isOutsideHeap ? "-XX:MaxDirectMemorySize" : "-Xmx";
  }
}
