package io.entroq.engine.memory;

/**
 * An image of the state says something that no state can be. Its checksums may be right: then the
 * program that wrote it, or the memory of that machine, was wrong.
 */
public final class ImageException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  /** Says what is wrong, and where. */
  public ImageException(String what) {
    super("the image of the state cannot be true: " + what);
  }
}
