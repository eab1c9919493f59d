package io.entroq.engine.listing;

import io.entroq.codec.message.IdDecoder;
import io.entroq.codec.result.ListDocsDecoder;
import io.entroq.engine.doc.DocStore;
import io.entroq.engine.doc.DocView;
import io.entroq.engine.doc.KeyTree;
import io.entroq.engine.doc.NamespaceStore;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.task.Bytes;

/** Lists docs by their ids, their key or a range of keys, contract 2.8, a slice at a time. */
public final class DocLister {

  /** The effort to find a place in the order again, or a doc by its id. */
  private static final int SEEK_EFFORT = 16;

  /** The effort to show a doc, as {@link TaskLister} counts it. */
  private static final int DOC_EFFORT = TaskLister.TASK_EFFORT;

  /** Bytes copied per unit of effort. */
  private static final int BYTES_PER_EFFORT = 64;

  private final DocStore docs;
  private final NamespaceStore namespaces;
  private final KeyTree tree;
  private final Viewer viewer;
  private final Bytes idText = new Bytes();

  /** Shows a doc by its slot. */
  @FunctionalInterface
  public interface Viewer {

    /** The doc, with its value or without; valid until the next call. */
    DocView view(int doc, boolean withValue);
  }

  public DocLister(DocStore docs, NamespaceStore namespaces, KeyTree tree, Viewer viewer) {
    this.docs = docs;
    this.namespaces = namespaces;
    this.tree = tree;
    this.viewer = viewer;
  }

  /**
   * Continues a listing.
   *
   * @param sequence of the last record
   * @param effort how much work to do, as {@link TaskLister#list} counts it
   * @return false if the sink is full or the listing is complete
   */
  public boolean list(DocCursor cursor, long sequence, int effort, DocVisitor sink) {
    ListDocsDecoder query = cursor.query;
    if (!cursor.isBegun) {
      cursor.isBegun = true;
      cursor.firstSequence = sequence;
      moveToStart(cursor);
    }
    int namespace =
        namespaces.find(query.buffer(), query.namespaceOffset(), query.namespaceLength());
    if (namespace == Slab.NONE) {
      // The namespace has lost its last doc set.
      cursor.isAtEnd = true;
      return false;
    }
    return query.idCount() > 0
        ? listIds(cursor, namespace, effort, sink)
        : listRange(cursor, namespace, effort, sink);
  }

  private static void moveToStart(DocCursor cursor) {
    ListDocsDecoder query = cursor.query;
    if (query.keyExactLength() > 0) {
      cursor.position.before(query.buffer(), query.keyExactOffset(), query.keyExactLength());
    } else {
      cursor.position.before(query.buffer(), query.keyStartOffset(), query.keyStartLength());
    }
  }

  private boolean listIds(DocCursor cursor, int namespace, int effort, DocVisitor sink) {
    int left = effort;
    while (left > 0 && cursor.nextId < cursor.query.idCount()) {
      left -= SEEK_EFFORT;
      int doc = find(cursor, namespace);
      if (doc != Slab.NONE) {
        left -= effort(doc);
        if (!show(cursor, doc, sink)) {
          return false;
        }
      }
      cursor.nextId++;
    }
    cursor.isAtEnd = cursor.nextId == cursor.query.idCount();
    return !cursor.isDone();
  }

  private int find(DocCursor cursor, int namespace) {
    IdDecoder id = cursor.query.id(cursor.nextId);
    int doc = docs.find(namespace, id.high(), id.low());
    if (doc == Slab.NONE) {
      return Slab.NONE;
    }
    docs.idText(doc, idText);
    boolean isMeant = idText.matches(cursor.query.buffer(), id.textOffset(), id.textLength());
    return isMeant ? doc : Slab.NONE;
  }

  private boolean listRange(DocCursor cursor, int namespace, int effort, DocVisitor sink) {
    // At least one doc, however small the effort.
    int left = Math.max(1, effort - SEEK_EFFORT);
    long place = tree.seek(namespace, cursor.position);
    for (; isInRange(cursor.query, place); place = tree.next(place)) {
      if (left <= 0 || cursor.left == 0) {
        return !cursor.isDone();
      }
      int doc = tree.doc(place);
      left--;
      if (docs.insertSequence(doc) <= cursor.firstSequence) {
        left -= effort(doc);
        if (!show(cursor, doc, sink)) {
          return false;
        }
        cursor.left--;
      }
      cursor.position.after(docs, doc);
    }
    cursor.isAtEnd = true;
    return false;
  }

  private boolean isInRange(ListDocsDecoder query, long place) {
    if (place == KeyTree.END) {
      return false;
    }
    int doc = tree.doc(place);
    if (query.keyExactLength() > 0) {
      int length = query.keyExactLength();
      return docs.compareKey(doc, query.buffer(), query.keyExactOffset(), length) == 0;
    }
    int length = query.keyEndLength();
    return length == 0 || docs.compareKey(doc, query.buffer(), query.keyEndOffset(), length) < 0;
  }

  private int effort(int doc) {
    return DOC_EFFORT + docs.contentLength(doc) / BYTES_PER_EFFORT;
  }

  private boolean show(DocCursor cursor, int doc, DocVisitor sink) {
    return sink.onDoc(viewer.view(doc, !cursor.query.omitsValues()));
  }
}
