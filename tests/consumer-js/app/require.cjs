const { load } = require('broadloom');
const { load: loadInline } = require('broadloom/inline');

load().then((bl) => {
  const shapes = [[2, 1], [3]];
  console.log(bl.inferShape('numpy', shapes).join(), loadInline().inferShape('numpy', shapes).join());
});
