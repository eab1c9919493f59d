package io.entroq.tools.importing;

/** Which places have been copied already, for a copy that goes on where another one ended. */
public interface ImportState {
  /** Knows of nothing, and forgets what it is told. */
  ImportState NONE =
      new ImportState() {
        @Override
        public boolean isDone(UnitName place) {
          return false;
        }

        @Override
        public void done(UnitName place) {}
      };

  /** Whether everything in a place has been copied. */
  boolean isDone(UnitName place);

  /** Everything in a place has been copied. */
  void done(UnitName place);
}
