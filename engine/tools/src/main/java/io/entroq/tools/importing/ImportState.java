package io.entroq.tools.importing;

/** Which places have been copied already, for a copy that goes on where another one ended. */
public interface ImportState {
  /** Knows of nothing, and forgets what it is told. */
  ImportState NONE =
      new ImportState() {
        @Override
        public boolean isDone(PlaceName place) {
          return false;
        }

        @Override
        public void done(PlaceName place) {}
      };

  /** Whether everything in a place has been copied. */
  boolean isDone(PlaceName place);

  /** Everything in a place has been copied. */
  void done(PlaceName place);
}
