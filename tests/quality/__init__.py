"""How good the retrieval is: handed questions over the corpus, and ranking scores on judged collections."""
