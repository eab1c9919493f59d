package io.entroq.codec.result;

/** Numbers of {@code ItemKind}: which list of a Modify an item stands in. */
public final class ItemKinds {
  /** No list. */
  public static final int NONE = 0;

  /** The inserts. */
  public static final int INSERT = 1;

  /** The changes. */
  public static final int CHANGE = 2;

  /** The deletes. */
  public static final int DELETE = 3;

  /** The dependencies. */
  public static final int DEPEND = 4;

  private ItemKinds() {}
}
