/** Rules that hold for the sources of all modules: their layout, and the words of the glossary. */
package io.entroq.system.sources;
