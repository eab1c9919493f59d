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

  /** The docs to make. */
  public static final int DOC_INSERT = 5;

  /** The docs to change. */
  public static final int DOC_CHANGE = 6;

  /** The docs to delete. */
  public static final int DOC_DELETE = 7;

  /** The docs to depend on. */
  public static final int DOC_DEPEND = 8;

  /** The highest number of a kind. */
  public static final int MAX = DOC_DEPEND;

  private ItemKinds() {}
}
